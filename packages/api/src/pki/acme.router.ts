import { AcmeEabSecret, certificateProfilePermissions, RevealAcmeEabSecret, revealAcmeEabSecret } from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';
import { LETS_ENROLL } from './description.ts';

export const acmeRouter = router({
  revealEabSecret: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/cert-manager/certificate-profiles/{profileId}/acme/eab-secret/reveal',
        certificateProfilePermissions.edit,
        'Show what ACME clients bind their accounts to a profile with',
        { description: LETS_ENROLL },
      ),
    )
    .input(RevealAcmeEabSecret)
    .output(AcmeEabSecret)
    .query(({ ctx, input }) => revealAcmeEabSecret(ctx, input)),
});

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
        'Read the credentials for external account binding (EAB) of a profile',
        { description: LETS_ENROLL },
      ),
    )
    .input(RevealAcmeEabSecret)
    .output(AcmeEabSecret)
    .query(({ ctx, input }) => revealAcmeEabSecret(ctx, input)),
});

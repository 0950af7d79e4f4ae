import { AcmeEabSecret, certificateProfilePermissions, RevealAcmeEabSecret, revealAcmeEabSecret } from '@coffer/domain';
import { procedure, rest, router } from '../kernel/index.ts';

export const acmeRouter = router({
  revealEabSecret: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/cert-manager/certificate-profiles/{profileId}/acme/eab-secret/reveal',
        certificateProfilePermissions.edit,
        'Show what ACME clients bind their accounts to a profile with',
      ),
    )
    .input(RevealAcmeEabSecret)
    .output(AcmeEabSecret)
    .query(({ ctx, input }) => revealAcmeEabSecret(ctx, input)),
});

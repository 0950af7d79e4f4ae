import {
  AuthorityTemplate,
  CertificateTemplate,
  CreateCertificateTemplate,
  createCertificateTemplate,
  deleteCertificateTemplate,
  getCertificateTemplate,
  Id,
  listAllCertificateTemplates,
  ListCertificateTemplates,
  listCertificateTemplates,
  listTemplatesOfAuthority,
  CertificateTemplateRef,
  certificateTemplatePermissions,
  UpdateCertificateTemplate,
  updateCertificateTemplate,
} from '@coffer/domain';
import { z } from 'zod';
import { procedure, rest, router } from '../kernel/index.ts';

const { read, create, edit, delete: remove } = certificateTemplatePermissions;
const ONE = '/api/v1/cert-manager/certificate-templates/{certificateTemplateId}';
const aliases = ['/api/v1/pki/certificate-templates/{certificateTemplateId}'] as const;

export const certificateTemplateRouter = router({
  list: procedure
    .meta(
      rest('GET', '/api/v1/cert-manager/certificate-templates', read, 'List the certificate templates of a project'),
    )
    .input(ListCertificateTemplates)
    .output(z.object({ certificateTemplates: z.array(CertificateTemplate), totalCount: z.int() }))
    .query(({ ctx, input }) => listCertificateTemplates(ctx, input)),
  listV2: procedure
    .meta(
      rest(
        'GET',
        '/api/v2/workspace/{projectId}/certificate-templates',
        read,
        'List all certificate templates of a project',
      ),
    )
    .input(z.object({ projectId: Id }))
    .output(z.object({ certificateTemplates: z.array(CertificateTemplate) }))
    .query(async ({ ctx, input }) => ({
      certificateTemplates: await listAllCertificateTemplates(ctx, input.projectId),
    })),
  listOfAuthority: procedure
    .meta(
      rest(
        'GET',
        '/api/v1/pki/ca/{caId}/certificate-templates',
        read,
        'List the certificate templates of an authority',
      ),
    )
    .input(z.object({ caId: Id }))
    .output(z.object({ certificateTemplates: z.array(AuthorityTemplate) }))
    .query(async ({ ctx, input }) => ({ certificateTemplates: await listTemplatesOfAuthority(ctx, input) })),
  create: procedure
    .meta(
      rest('POST', '/api/v1/cert-manager/certificate-templates', create, 'Create a certificate template', {
        aliases: ['/api/v1/pki/certificate-templates'],
      }),
    )
    .input(CreateCertificateTemplate)
    .output(CertificateTemplate)
    .mutation(({ ctx, input }) => createCertificateTemplate(ctx, input)),
  get: procedure
    .meta(rest('GET', ONE, read, 'Read a certificate template', { aliases }))
    .input(CertificateTemplateRef)
    .output(CertificateTemplate)
    .query(({ ctx, input }) => getCertificateTemplate(ctx, input)),
  update: procedure
    .meta(rest('PATCH', ONE, edit, 'Update a certificate template', { aliases }))
    .input(UpdateCertificateTemplate)
    .output(CertificateTemplate)
    .mutation(({ ctx, input }) => updateCertificateTemplate(ctx, input)),
  delete: procedure
    .meta(rest('DELETE', ONE, remove, 'Delete a certificate template', { aliases }))
    .input(CertificateTemplateRef)
    .output(CertificateTemplate)
    .mutation(({ ctx, input }) => deleteCertificateTemplate(ctx, input)),
});

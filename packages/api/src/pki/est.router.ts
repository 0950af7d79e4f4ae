import {
  certificateTemplatePermissions,
  ChangedEstConfig,
  CreateEstConfig,
  createEstConfig,
  EstConfig,
  estCertificates,
  EstTemplateRef,
  getEstConfig,
  simpleEnroll,
  simpleReenroll,
  UpdateEstConfig,
  updateEstConfig,
  type Actor,
} from '@coffer/domain';
import type { z } from 'zod';
import { limitingRefusals, octets, procedure, Raw, RawAnswer, rest, router } from '../kernel/index.ts';
import { LETS_ENROLL } from './description.ts';

const CONFIG = '/api/v1/pki/certificate-templates/{certificateTemplateId}/est-config';
const EST = '/.well-known/est/{certificateTemplateId}';
const { read, edit } = certificateTemplatePermissions;

const REQUEST = 'application/pkcs10';
const ANSWER = 'application/pkcs7-mime; smime-type=certs-only';
const answered = (text: string) => new RawAnswer(ANSWER, text, { 'content-transfer-encoding': 'base64' });
const EstPlaceRef = EstTemplateRef.extend({
  certificateTemplateId: EstTemplateRef.shape.certificateTemplateId.describe('Of a certificate template or profile'),
});
/** Characters; a request has up to 16,384 octets. */
const Enroll = EstPlaceRef.extend({ csr: octets(32_768) });

/** An enrolling client has no token: the call runs in the organization of the profile or template. */
const becoming = (ctx: { actor: Actor }) => (actor: Actor) => void (ctx.actor = actor);

const enrolling = ({ certificateTemplateId: id, csr }: z.output<typeof Enroll>) => ({ id, csr });

/** What refusals are counted under. */
const subjectOf = ({ certificateTemplateId: id }: { certificateTemplateId: string }) => `est:${id.toLowerCase()}`;

export const estRouter = router({
  getConfig: procedure
    .meta(rest('GET', CONFIG, read, 'Read the EST settings of a certificate template'))
    .input(EstTemplateRef)
    .output(EstConfig)
    .query(({ ctx, input }) => getEstConfig(ctx, input)),
  createConfig: procedure
    .meta(rest('POST', CONFIG, edit, 'Enable EST for a certificate template', { description: LETS_ENROLL }))
    .input(CreateEstConfig)
    .output(ChangedEstConfig)
    .mutation(({ ctx, input }) => createEstConfig(ctx, input)),
  updateConfig: procedure
    .meta(
      rest('PATCH', CONFIG, edit, 'Update the EST settings of a certificate template', {
        description: LETS_ENROLL,
      }),
    )
    .input(UpdateEstConfig)
    .output(ChangedEstConfig)
    .mutation(({ ctx, input }) => updateEstConfig(ctx, input)),
  cacerts: procedure
    .meta(
      rest('GET', `${EST}/cacerts`, 'public', 'Get the certificates of the authority (EST, RFC 7030)', {
        answers: [ANSWER],
      }),
    )
    .input(EstPlaceRef)
    .output(Raw)
    .query(async ({ ctx, input }) => answered(await estCertificates(ctx, input.certificateTemplateId, becoming(ctx)))),
  simpleenroll: procedure
    .meta(
      rest('POST', `${EST}/simpleenroll`, 'public', 'Enrol with a passphrase (EST, RFC 7030)', {
        takes: { type: REQUEST, field: 'csr' },
        answers: [ANSWER],
        limitsRefusals: true,
        description: 'By HTTP Basic authentication. The user name is ignored.',
      }),
    )
    .input(Enroll)
    .output(Raw)
    .mutation(async ({ ctx, input }) => {
      const credentials = { authorization: ctx.http.header('authorization') };
      const enroll = () => simpleEnroll(ctx, enrolling(input), credentials, becoming(ctx));
      return answered(await limitingRefusals(ctx, subjectOf(input), enroll));
    }),
  simplereenroll: procedure
    .meta(
      rest(
        'POST',
        `${EST}/simplereenroll`,
        'public',
        'Re-enrol with a certificate that is about to end (EST, RFC 7030)',
        {
          takes: { type: REQUEST, field: 'csr' },
          answers: [ANSWER],
          limitsRefusals: true,
        },
      ),
    )
    .input(Enroll)
    .output(Raw)
    .mutation(async ({ ctx, input }) => {
      const reenroll = () => simpleReenroll(ctx, enrolling(input), becoming(ctx));
      return answered(await limitingRefusals(ctx, subjectOf(input), reenroll));
    }),
});

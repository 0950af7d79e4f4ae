import { z } from 'zod';
import { count, defineEvent, Id, Instant, text, Uuid } from '../kernel/index.ts';

/** What can end. The first ones are of projects, the last ones also, or only, of an organization. */
export const ENDING_KINDS = [
  'certificate',
  'certificate-authority',
  'ssh-certificate',
  'service-token',
  'lease',
  'role',
  'privilege',
  'kms-key',
  'client-secret',
  'access-token',
  'api-key',
] as const;
export const EndingKind = z.enum(ENDING_KINDS);
export type EndingKind = z.output<typeof EndingKind>;

/** Something that ends. */
export const Ending = z.object({
  kind: EndingKind,
  id: Uuid,
  name: z.string(),
  of: z.string().nullable().describe('Whose it is, or what it is of'),
  endsAt: Instant,
  details: z
    .record(z.string(), z.string())
    .describe(
      'By kind: what leads to it (`environment`, `secretPath` and `dynamicSecretName` of a lease, `identityId`), and whether it is replaced (`renewedBy`, `renewBeforeDays` of a certificate)',
    ),
});
export type Ending = z.output<typeof Ending>;

const CURSOR = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;

/** Where a page ends. */
export interface EndingCursor {
  readonly endsAt: Date;
  readonly id: string;
}

const Cursor = z
  .string()
  .regex(CURSOR, 'Expected `nextCursor` of a page')
  .transform((cursor): EndingCursor => {
    const [, instant = '', id = ''] = CURSOR.exec(cursor)!;
    return { endsAt: new Date(instant), id };
  });

export const cursorOf = ({ endsAt, id }: EndingCursor): string => `${endsAt.toISOString()}_${id}`;

export const ListEndings = z.object({
  projectId: Id.optional().describe('Default: what belongs to the organization and no project'),
  kind: EndingKind.optional(),
  search: text(256).optional().describe('A part of its name, or of what it is of'),
  cursor: Cursor.optional().describe('`nextCursor` of the page before'),
  limit: count(1, 100).default(100),
});
export type ListEndings = z.output<typeof ListEndings>;

export const EndingPage = z.object({
  endings: z.array(Ending).describe('In the order of their ends, from now on'),
  nextCursor: z.string().nullable().describe('null: there is no further page'),
});
export type EndingPage = z.output<typeof EndingPage>;

export const endingsListed = defineEvent(
  'expiry.listed',
  'get-expiry',
  z.object({ numberOfEndings: z.int(), kind: z.string().optional() }),
);

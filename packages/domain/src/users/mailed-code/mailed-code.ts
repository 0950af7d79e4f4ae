import { hashOf, isToken, makeToken } from '../../crypto/index.ts';
import type { Turns } from '../../jobs/index.ts';
import { clientNetwork, statement, type Context, type Transaction } from '../../kernel/index.ts';
import { compose, deliver, type MessageText } from '../../mail/index.ts';

const HOUR = 3600 * 1000;
/** Maximum number of messages to one owner per hour; the last of them is valid for as long. */
const MAX_PER_HOUR = 3;
/** How long a code is good; milliseconds. */
const CODE_LIFETIME = HOUR;
/** How long the token is good that a code is exchanged for; milliseconds. */
const TOKEN_LIFETIME = 15 * 60 * 1000;

/** A kind of codes that are mailed, with its differences. */
export interface MailedCodeKind {
  readonly table: string;
  /** The column of the owner of a code. */
  readonly ownerColumn: string;
  /** The prefix of the codes, and of the tokens that they are exchanged for. */
  readonly prefixes: { readonly code: string; readonly token: string };
  /** The page that a link opens. */
  readonly path: string;
}

/**
 * The turns of messages that anybody may request, for any address: by the network of the request. Two are sent at a time,
 * whoever requested them.
 */
export const mailedCodeTurns: Turns<{ readonly askedFrom: string; readonly email: string }> = {
  kind: 'mailed-codes',
  isUrgent: true,
  ownerOf: ({ askedFrom }) => clientNetwork(askedFrom),
  queueOf: ({ email }) => `mailed-codes:${email.length % 2}`,
};

/** A requested code. The same ID again replaces its own code. */
export interface AskedCode {
  readonly id: string;
  readonly owner: string;
  readonly askedAt: Date;
}

/** The text of a message with a link, besides what is said of every link. */
interface LinkText {
  readonly subject: string;
  /** A sentence: what was requested. */
  readonly request: string;
  /** A sentence: what the link does besides. */
  readonly effect?: string;
  /** The end of a sentence: what happens where the reader ignores the message. */
  readonly otherwise: string;
  /** Of the link. */
  readonly label: string;
}

const statementsOf = ({ table, ownerColumn }: MailedCodeKind) => ({
  recent: statement(
    `${table}.standing`,
    `select count(*) filter (where id <> $2 and asked_at > $3)::int as recent,
       coalesce(bool_or(case when id = $2 then verified_at is not null or ended_at is not null else asked_at > $4 end), false) as "isSuperseded"
     from ${table} where ${ownerColumn} = $1`,
  ),
  endAll: statement(
    `${table}.end`,
    `update ${table} set ended_at = $2 where ${ownerColumn} = $1 and id is distinct from $3::uuid and ended_at is null`,
  ),
  store: statement(
    `${table}.store`,
    `insert into ${table} (id, ${ownerColumn}, hash, asked_at, expires_at) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set hash = excluded.hash, expires_at = excluded.expires_at`,
  ),
  verify: statement(
    `${table}.verify`,
    `update ${table} set hash = $5, verified_at = $3, expires_at = $4
     where hash = $1 and ${ownerColumn} = $2 and expires_at > $3 and verified_at is null and ended_at is null returning id`,
  ),
  find: statement(
    `${table}.owner`,
    `select ${ownerColumn}::text as owner from ${table}
     where hash = $1 and expires_at > $2 and verified_at is not null and ended_at is null`,
  ),
  use: statement(
    `${table}.use`,
    `update ${table} set ended_at = $3
     where hash = $1 and ${ownerColumn} = $2 and expires_at > $3 and verified_at is not null and ended_at is null returning id`,
  ),
});

/**
 * Codes that prove the ownership of a mailbox: a code is mailed in a link, is used once, and is exchanged for a token,
 * which is used once. A newer code replaces all earlier ones of its owner. Only hashes are stored.
 */
export function defineMailedCode(kind: MailedCodeKind) {
  const { prefixes, path } = kind;
  const { recent, endAll, store, verify, find, use } = statementsOf(kind);

  /** Invalidates all codes and tokens of an owner, except those of the given ID. */
  async function end(tx: Transaction, owner: string, except?: string): Promise<void> {
    await tx.sql(endAll, [owner, tx.now(), except ?? null]);
  }

  /** Creates a code that replaces all earlier ones. */
  async function make(tx: Transaction, { id, owner, askedAt }: AskedCode): Promise<string> {
    const { token: code, hash } = makeToken(prefixes.code);
    await end(tx, owner, id);
    await tx.sql(store, [id, owner, hash, askedAt, new Date(tx.now().getTime() + CODE_LIFETIME)]);
    return code;
  }

  return {
    make,
    end,

    /** The same for a message; `undefined` if it is too late, was superseded, or the limit of messages is reached. */
    async makeToSend(tx: Transaction, asked: AskedCode): Promise<string | undefined> {
      const now = tx.now().getTime();
      if (asked.askedAt.getTime() + CODE_LIFETIME <= now) return undefined;
      const values = [asked.owner, asked.id, new Date(now - HOUR), asked.askedAt];
      const [others] = await tx.sql<{ recent: number; isSuperseded: boolean }>(recent, values);
      if (!others || others.isSuperseded || others.recent >= MAX_PER_HOUR) return undefined;
      return make(tx, asked);
    },

    /** Exchanges a code of an owner, once, for its token; `undefined` for an invalid code. */
    async exchange(tx: Transaction, owner: string, code: string): Promise<string | undefined> {
      if (!isToken(prefixes.code, code)) return undefined;
      const now = tx.now();
      const { token, hash } = makeToken(prefixes.token);
      const values = [hashOf(code), owner, now, new Date(now.getTime() + TOKEN_LIFETIME), hash];
      return (await tx.sql(verify, values)).length > 0 ? token : undefined;
    },

    /** The owner of the token of a code; `undefined` for an invalid token. It is asked before work that takes long. */
    async ownerOf(ctx: Context, token: string): Promise<string | undefined> {
      if (!isToken(prefixes.token, token)) return undefined;
      const [found] = await ctx.sql<{ owner: string }>(find, [hashOf(token), ctx.now()]);
      return found?.owner;
    },

    /** Consumes the token of a code, once, and returns the ID of the code; `undefined` for an invalid token. */
    async use(tx: Transaction, owner: string, token: string): Promise<string | undefined> {
      if (!isToken(prefixes.token, token)) return undefined;
      const [used] = await tx.sql<{ id: string }>(use, [hashOf(token), owner, tx.now()]);
      return used?.id;
    },

    /** The address that a message leads to. */
    link({ settings }: Pick<Context, 'settings'>, { code, email }: { code: string; email: string }): string {
      const query = new URLSearchParams({ token: code, to: email });
      return `${settings.siteUrl}${path}?${query.toString()}`;
    },
  };
}

/** Mails the link of a code. */
export async function mailLink(
  ctx: Context,
  codes: Pick<ReturnType<typeof defineMailedCode>, 'link'>,
  { code, email }: { code: string; email: string },
  { subject, request, effect, otherwise, label }: LinkText,
): Promise<void> {
  const link = 'The link is only for you. It works once, for one hour; a newer link replaces it.';
  const text: MessageText = {
    subject,
    paragraphs: [
      request,
      effect === undefined ? link : `${link} ${effect}`,
      `If you did not request it, ignore this message: ${otherwise}.`,
    ],
    action: { label, url: codes.link(ctx, { code, email }) },
  };
  await deliver(ctx, compose(email, text));
}

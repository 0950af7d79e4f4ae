import type { z } from 'zod';
import type { OAuthTokens } from '../../family/index.ts';
import type { AppSettings, OAuthApplication, OutboundConnect, OutboundFetch } from '../../kernel/index.ts';
import type { IntegrationAuthField } from './integration-auth-fields.ts';

/** The means by which a connector calls the remote. */
export interface Remote {
  /** The context's fetch, within the deadline and call budget of one piece of work. Does not follow redirects. */
  readonly fetch: OutboundFetch;
  /** The context's connect, for what is not HTTP, within the same deadline and budget. */
  readonly connect: OutboundConnect;
  readonly now: Date;
  /**
   * Whose credentials these are: the project, or the organization of a connection without a project. A remote can require
   * it, so that what it trusts Coffer with is not used by others (confused deputy).
   */
  readonly externalId: string;
  readonly organizationId: string;
  /** Of the operator. */
  readonly settings: AppSettings;
  /** The address under which people reach Coffer: where apps redirect them. */
  readonly siteUrl: string;
  /** Redacts a credential that was obtained during the work (such as a session token) from all later texts. */
  hide(credential: string): void;
}

/** A method by which a user authorizes the operator's OAuth application (RFC 6749); its credentials have `code`. */
export interface OAuthMethod {
  readonly application: OAuthApplication;
  /** The path of the redirect URI, below the site URL. */
  readonly callback: string;
  /** The token endpoint, by the credentials. */
  tokenUrl(credentials: Readonly<Record<string, unknown>>): string;
  readonly scope?: string;
  /** The code only shows who the user is that saves the credentials: its tokens are not stored. */
  readonly isProof?: true;
}

/** A way to authenticate at an app. */
export interface Method {
  readonly credentials: z.ZodObject;
  /** Sealed fields that are returned nevertheless: IDs, which are redacted from messages of the remote. */
  readonly shown?: readonly string[];
  /** What `/api/v1/integration-auth` calls each of the credentials; absent if they cannot be given there. */
  readonly integrationAuth?: Readonly<Record<string, IntegrationAuthField>>;
  /**
   * Where a user authorizes an application of the operator: `code`, a sealed credential, is exchanged when it is saved.
   * `connect` gets the tokens, refreshed, as `tokens`.
   */
  readonly oauth?: OAuthMethod;
  /**
   * Fields that are stored as `learn` returns them where they are not given; each with the fields on which it depends. A
   * change of one of these drops it.
   */
  readonly learned?: Readonly<Record<string, readonly string[]>>;
  /** The variable of the operator without which the method does not work, where it is not set; see `oauth`, too. */
  missingSetting?(settings: AppSettings): string | undefined;
}

/** Credentials of one of the methods of an app, as they are sealed. */
export type Credentials = { readonly method: string } & Readonly<Record<string, unknown>>;

type TokensOf<One extends Method> = One extends { readonly oauth: { readonly isProof: true } }
  ? { readonly tokens?: OAuthTokens }
  : One extends { readonly oauth: OAuthMethod }
    ? { readonly tokens: OAuthTokens }
    : unknown;

type CredentialsOf<Methods extends Record<string, Method>> = {
  [Name in keyof Methods & string]: { readonly method: Name } & Readonly<z.output<Methods[Name]['credentials']>> &
    TokensOf<Methods[Name]>;
}[keyof Methods & string];

/** The system that credentials reach. */
export interface System {
  /**
   * A text in one canonical form, the same for all credentials that reach this system: its host; or the account, where
   * accounts share the host.
   */
  readonly name: string;
  /** The path below which the credentials find their places, where they have one: without slashes at its ends. */
  readonly base?: string;
  /**
   * The path of the URL that is called. At another one there may be another system, or the same by another way: what uses a
   * connection is not led there, and what others write there may be the same.
   */
  readonly path?: string;
}

/** The name of a system for what uses it: that of all ways to it that are surely the same. */
export const systemNameOf = ({ name, path, base }: System): string => [name, path, base].filter(Boolean).join('/');

/** All names of a system, the given one among them, always in the same order. */
export const namesOfSystem = ({ aliasesOf }: Pick<Connector, 'aliasesOf'>, name: string): readonly string[] =>
  [...new Set([name, ...(aliasesOf?.(name) ?? [])])].toSorted(byText);

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** Whether two systems are surely one, reached in one way. */
export const isSameSystem = (one: System, other: System): boolean =>
  one.name === other.name && (one.base ?? '') === (other.base ?? '') && (one.path ?? '') === (other.path ?? '');

/** A list of what is at the app, for a console to choose from: `GET …/{connectionId}/<its name>`. */
export interface ConnectorList<Client = unknown> {
  /** What it lists, for people: `the projects`. */
  readonly what: string;
  /** What it has to be told besides the connection. */
  readonly query?: z.ZodObject;
  /** The published answer. */
  readonly answer: z.ZodType;
  /** @throws DomainError `remote.*` */
  read(client: Client, query: never, credentials: Credentials): Promise<unknown>;
}

/** Declares a list; its function is given the query as its schema reads it. */
export const defineList = <Client, const Query extends z.ZodRawShape, Answer extends z.ZodType>(
  list: Omit<ConnectorList<Client>, 'query' | 'answer' | 'read'> & {
    readonly query?: z.ZodObject<Query>;
    readonly answer: Answer;
    read(client: Client, query: z.output<z.ZodObject<Query>>, credentials: Credentials): Promise<z.input<Answer>>;
  },
): ConnectorList<Client> => list;

/** Another system that Coffer connects to: how it authenticates there, and what speaks to it. */
export interface Connector<Client = unknown> {
  /** The published name. */
  readonly app: string;
  /** For people. */
  readonly title: string;
  /** By their published names. */
  readonly methods: Readonly<Record<string, Method>>;
  /** The system that these credentials reach, without calling it. */
  systemOf(credentials: Credentials): System;
  /**
   * Further names of a system by that name (`systemNameOf`): what is reached in another way there, such as by another port, and has the
   * same logins. Absent: none.
   */
  readonly aliasesOf?: (name: string) => readonly string[];
  /**
   * Makes the client that all features use which reach this app. It may log in first.
   *
   * @throws DomainError `remote.*` where the app refuses the credentials.
   */
  connect(credentials: Credentials, remote: Remote): Client | Promise<Client>;
  /**
   * Shows by a call that changes nothing that the credentials are accepted.
   *
   * @throws DomainError `remote.*` where they are not.
   */
  check(client: Client, credentials: Credentials): Promise<void>;
  /**
   * Sets another `password` for the login of the credentials, by its own right. Absent: Coffer cannot take it over.
   *
   * @throws DomainError `remote.rejected` only where nothing was changed.
   */
  changeOwnPassword?(client: Client, credentials: Credentials, password: string): Promise<void>;
  /** What `check` has shown of the system that is stored with the credentials. */
  learn?(client: Client): Readonly<Record<string, unknown>>;
  /** By their published names. */
  readonly lists?: Readonly<Record<string, ConnectorList<Client>>>;
}

/** Declares a connector; its functions are given the credentials as the schema of their method reads them. */
export const defineConnector = <
  const App extends string,
  const Methods extends Record<string, Method>,
  Client,
  const Lists extends Readonly<Record<string, ConnectorList<Client>>> = {},
>(
  connector: Omit<Connector<Client>, 'app' | 'methods' | 'systemOf' | 'connect' | 'check' | 'lists'> & {
    readonly app: App;
    readonly methods: Methods;
    systemOf(credentials: CredentialsOf<Methods>): System;
    connect(credentials: CredentialsOf<Methods>, remote: Remote): Client | Promise<Client>;
    check(client: Client, credentials: CredentialsOf<Methods>): Promise<void>;
    readonly lists?: Lists;
  },
): Omit<Connector<Client>, 'lists'> & { readonly app: App; readonly lists?: Lists } => connector;

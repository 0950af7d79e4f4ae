// How SQL Server reads statements about logins, independent of the templates of Coffer.

export interface Login {
  password: string;
  isDisabled: boolean;
  /** Whether it may change other logins. */
  readonly mayAlterAny: boolean;
}

export interface Database {
  readonly logins: Map<string, Login>;
  readonly users: Set<string>;
}

/** An error with its number: https://learn.microsoft.com/en-us/sql/relational-databases/errors-events/database-engine-events-and-errors */
export class SqlError extends Error {
  readonly number: number;
  constructor(number: number, message: string) {
    super(message);
    this.number = number;
  }
}

interface Token {
  readonly kind: 'name' | 'string' | 'word' | 'sign';
  readonly value: string;
}

const TOKEN =
  /\s+|--[^\r\n]*|\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|[nN]?'((?:[^']|'')*)'|([A-Za-z_@][\w@.]*|\d+)|(.)/sy;

function tokensOf(sql: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < sql.length) {
    const [, brackets, quotes, text, word, sign] = TOKEN.exec(sql)!;
    if (brackets !== undefined) tokens.push({ kind: 'name', value: brackets.replaceAll(']]', ']') });
    else if (quotes !== undefined) tokens.push({ kind: 'name', value: quotes.replaceAll('""', '"') });
    else if (text !== undefined) tokens.push({ kind: 'string', value: text.replaceAll("''", "'") });
    else if (word !== undefined) tokens.push({ kind: 'word', value: word.toLowerCase() });
    else if (sign !== undefined) {
      if (sign === "'" || sign === '"' || sign === '[') throw new SqlError(105, 'Unclosed quotation mark.');
      tokens.push({ kind: 'sign', value: sign });
    }
  }
  return tokens;
}

/** The statements of a batch, which are separated by semicolons. */
function statementsOf(sql: string): Token[][] {
  const statements: Token[][] = [[]];
  for (const token of tokensOf(sql))
    if (token.kind === 'sign' && token.value === ';') statements.push([]);
    else statements.at(-1)!.push(token);
  return statements.filter((tokens) => tokens.length > 0);
}

/** Tokens as a shape, and the names and strings in it: `alter login NAME with password = STRING`. */
function shapeOf(tokens: readonly Token[]): { shape: string; values: string[] } {
  const isValue = ({ kind }: Token) => kind === 'name' || kind === 'string';
  return {
    shape: tokens.map((token) => (isValue(token) ? token.kind.toUpperCase() : token.value)).join(' '),
    values: tokens.filter(isValue).map(({ value }) => value),
  };
}

const LOGINS =
  '( select count ( * ) from sys.server_principals where name = STRING and type = STRING and is_disabled = 0 ) + ( select count ( * ) from sys.database_principals where name = STRING and authentication_type = 2 )';
/** Of a database that is not contained: its users have no passwords. */
const SEES_ALL =
  'select count ( * ) from sys.databases where name = db_name ( ) and ( cast ( serverproperty ( STRING ) as int ) = 5 or exists ( select * from sys.database_principals where principal_id = user_id ( ) and authentication_type = 2 ) or has_perms_by_name ( null , null , STRING ) = 1 or has_perms_by_name ( null , null , STRING ) = 1 ) and ( cast ( serverproperty ( STRING ) as int ) < > 5 and containment = 0 or has_perms_by_name ( db_name ( ) , STRING , STRING ) = 1 or has_perms_by_name ( db_name ( ) , STRING , STRING ) = 1 )';
const missing = (verb: string, name: string) =>
  new SqlError(15151, `Cannot ${verb} the login '${name}', because it does not exist or you do not have permission.`);

export interface Session {
  readonly database: Database;
  readonly username: string;
  /** The sessions of a login. */
  sessionsOf(username: string): number[];
  kill(session: number): void;
}

type Statement = (session: Session, values: readonly string[], tokens: readonly Token[]) => number[] | void;

const seesLogins = ({ database, username }: Pick<Session, 'database' | 'username'>): boolean =>
  database.logins.get(username)?.mayAlterAny === true;

function requireAlterAny(session: Session, verb: string, name: string): void {
  if (!seesLogins(session)) throw missing(verb, name);
}

function alter(session: Session, name: string, verb = 'alter'): Login {
  requireAlterAny(session, verb, name);
  const login = session.database.logins.get(name);
  if (!login) throw missing(verb, name);
  return login;
}

const STATEMENTS: Readonly<Record<string, Statement>> = {
  'select 1': () => [1],
  // Metadata visibility: a login without ALTER ANY LOGIN sees only itself.
  [`select ${LOGINS}`]: ({ database, username }, [name = '']) => {
    const login = database.logins.get(name);
    return [login && !login.isDisabled && (name === username || seesLogins({ database, username })) ? 1 : 0];
  },
  [SEES_ALL]: (session, permissions) => [permissions.includes('ALTER ANY LOGIN') && seesLogins(session) ? 1 : 0],
  'select session_id from sys.dm_exec_sessions where login_name = STRING': (session, [name = '']) =>
    session.sessionsOf(name),
  'create login NAME with password = STRING': (session, [name = '', password = '']) => {
    if (!seesLogins(session)) throw new SqlError(15247, 'User does not have permission to perform this action.');
    if (session.database.logins.has(name)) throw new SqlError(15025, `The server principal '${name}' already exists.`);
    session.database.logins.set(name, { password, isDisabled: false, mayAlterAny: false });
  },
  'alter login NAME with password = STRING': (session, [name = '', password = '']) => {
    alter(session, name).password = password;
  },
  'alter login NAME with password = STRING old_password = STRING': (session, [name = '', password = '', old = '']) => {
    const login = session.database.logins.get(name);
    if (name !== session.username || login?.password !== old) throw missing('alter', name);
    login.password = password;
  },
  'alter login NAME disable': (session, [name = '']) => {
    alter(session, name).isDisabled = true;
  },
  'drop login NAME': (session, [name = '']) => {
    alter(session, name, 'drop');
    if (session.sessionsOf(name).length > 0)
      throw new SqlError(15434, `Could not drop login '${name}' as the user is currently logged in.`);
    session.database.logins.delete(name);
  },
  'create user NAME for login NAME': ({ database }, [name = '', login = '']) => {
    if (!database.logins.has(login))
      throw new SqlError(15007, `'${login}' is not a valid login or you do not have permission.`);
    database.users.add(name);
  },
  'drop user NAME': ({ database }, [name = '']) => {
    if (!database.users.delete(name))
      throw new SqlError(
        15151,
        `Cannot drop the user '${name}', because it does not exist or you do not have permission.`,
      );
  },
  'grant select to NAME': ({ database }, [name = '']) => {
    if (!database.users.has(name))
      throw new SqlError(
        15151,
        `Cannot find the user '${name}', because it does not exist or you do not have permission.`,
      );
  },
};

/** Runs a batch; what it returns is the rows of its last statement. @throws SqlError */
export function runBatch(session: Session, sql: string): number[] {
  let found: number[] = [];
  for (const tokens of statementsOf(sql)) {
    const { shape, values } = shapeOf(tokens);
    const [, id] = /^kill (\d+)$/.exec(shape) ?? [];
    if (id !== undefined) session.kill(Number(id));
    else if (shape.startsWith('set ')) continue;
    else if (STATEMENTS[shape]) found = STATEMENTS[shape](session, values, tokens) ?? [];
    else throw new SqlError(102, `Incorrect syntax near '${tokens[0]!.value}'.`);
  }
  return found;
}

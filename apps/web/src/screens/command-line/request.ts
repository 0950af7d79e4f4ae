/** What a command line asks for in the address (docs/decisions/0046-browser-login.md). */
export interface LoginRequest {
  readonly port: number;
  /** Without one, the command line expects tokens. */
  readonly challenge?: string;
  readonly state: string;
}

const [LOWEST, HIGHEST] = [1024, 65_535];

/** `undefined` for an address that no command line makes. */
export function requestIn(search: string): LoginRequest | undefined {
  const query = new URLSearchParams(search);
  const port = query.get('callback_port') ?? '';
  if (!/^\d{4,5}$/.test(port) || Number(port) < LOWEST || Number(port) > HIGHEST) return undefined;
  const challenge = query.get('code_challenge');
  const state = query.get('state') ?? '';
  if (challenge === null) return { port: Number(port), state };
  const isRight =
    query.get('code_challenge_method') === 'S256' &&
    /^[A-Za-z0-9_-]{43}$/.test(challenge) &&
    /^[A-Za-z0-9_-]{16,128}$/.test(state);
  return isRight ? { port: Number(port), challenge, state } : undefined;
}

/** Always this machine: nobody else can choose where it goes. */
export const callbackOf = ({ port }: LoginRequest): string => `http://127.0.0.1:${port}`;

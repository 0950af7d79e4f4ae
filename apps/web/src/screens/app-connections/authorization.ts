import { useEffect, useRef, useState } from 'react';
import { isEntered, textIn, type Entered } from '../../ui/schema-form/value.ts';

/** Where a user allows the application of the operator to act for them; GitHub and Azure then lead back with a code. */
interface Authority {
  /** The part of the address that it leads back to. */
  readonly name: 'github' | 'azure';
  readonly url: (entered: Entered) => string;
  readonly query: Readonly<Record<string, string>>;
}

/** https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps */
const gitHub: Authority = {
  name: 'github',
  url: () => 'https://github.com/login/oauth/authorize',
  query: { scope: 'repo admin:org' },
};

/** https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-auth-code-flow */
const azure = (api: string): Authority => ({
  name: 'azure',
  url: ({ credentials }) => {
    const tenant = (isEntered(credentials) && textIn(credentials['tenantId'])) || 'organizations';
    return `https://login.microsoftonline.com/${encodeURIComponent(tenant)}/oauth2/v2.0/authorize`;
  },
  query: {
    response_type: 'code',
    response_mode: 'query',
    scope: [`${api}/.default`, 'openid', 'offline_access'].join(' '),
  },
});

const AUTHORITIES: Readonly<Record<string, Authority>> = {
  github: gitHub,
  'azure-app-configuration': azure('https://appconfig.azure.com'),
  'azure-client-secrets': azure('https://graph.microsoft.com'),
  'azure-key-vault': azure('https://vault.azure.net'),
};

export const canAuthorize = (app: string): boolean => app in AUTHORITIES;

const CHANNEL = 'coffer-authorization';

interface Answer {
  readonly state: string;
  readonly code: string;
}

/** Tells the window that asked. Codes of answers that nobody asked for go nowhere. */
export function passOn(answer: Answer): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(answer);
  channel.close();
}

/** Asks for an authorization in another window: `begin` opens it, and `onCode` gets the code that it leads back with. */
export function useAuthorization(app: string, clientId: string, onCode: (code: string) => void) {
  const asked = useRef<string>(undefined);
  const take = useRef(onCode);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    take.current = onCode;
  });
  useEffect(() => {
    const channel = new BroadcastChannel(CHANNEL);
    channel.addEventListener('message', ({ data }: MessageEvent<Partial<Answer>>) => {
      if (asked.current === undefined || data.state !== asked.current || !data.code) return;
      asked.current = undefined;
      setDone(true);
      take.current(data.code);
    });
    return () => channel.close();
  }, []);
  const begin = (entered: Entered) => {
    const authority = AUTHORITIES[app];
    if (!authority) return;
    asked.current = crypto.getRandomValues(new Uint32Array(4)).join('-');
    const query = new URLSearchParams({
      ...authority.query,
      client_id: clientId,
      redirect_uri: `${location.origin}/organization/app-connections/${authority.name}/oauth/callback`,
      state: asked.current,
    });
    window.open(`${authority.url(entered)}?${query.toString()}`, '_blank', 'noopener');
  };
  return { isDone, begin };
}

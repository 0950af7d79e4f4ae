import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { chooseOrganization, session } from '../../app/session.ts';
import { useStore } from '../../app/store.ts';
import { Facts } from '../../ui/detail.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Note } from '../../ui/note.tsx';
import { Narrow } from '../../ui/page.tsx';
import { ByCode } from './by-code.tsx';
import { ByTokens } from './by-tokens.tsx';
import { callbackOf, requestIn } from './request.ts';

/** A command line asks for a login. Nothing is given before a click. */
export function Screen() {
  const [request] = useState(() => requestIn(location.search));
  const now = useStore(session);
  if (!request || now.state !== 'signed-in')
    return (
      <Narrow title="Login of the command line">
        <Note kind="bad">
          This address is not one that a command line opens: its port, challenge or state is missing or malformed. Start
          the login in the terminal again.
        </Note>
        <a href="/">To the console</a>
      </Narrow>
    );
  return (
    <Narrow title="Log in the command line?">
      <p>A command line on this computer asks for a session of yours.</p>
      <Facts
        of={[
          ['You are', now.user.email ?? now.user.username],
          ['It listens at', <code key="port">{callbackOf(request)}</code>],
          ['It may', 'do what you may do in the organization'],
          ['It appears as', '“command line” in the list of your sessions, where you can end it'],
        ]}
      />
      <Organization current={now.organizationId} />
      <Note kind="warn">Agree only if you have just started a login in a terminal yourself.</Note>
      {request.challenge === undefined ? (
        <ByTokens request={request} />
      ) : (
        <ByCode request={request} challenge={request.challenge} />
      )}
    </Narrow>
  );
}

function Organization({ current }: { readonly current: string }) {
  const { data } = useQuery(ask('account', 'organizations', {}));
  return (
    <SelectField label="Organization" value={current} onChange={(event) => void chooseOrganization(event.target.value)}>
      {data?.organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

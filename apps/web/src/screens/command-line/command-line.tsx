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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** A command line asks for a login. Nothing is given before a click. */
export function Screen() {
  const [request] = useState(() => requestIn(location.search));
  const now = useStore(session);
  if (!request || now.state !== 'signed-in')
    return (
      <Narrow title={texts.loginOfCommandLine}>
        <Note kind="bad">{texts.thisAddressIsNotOneThatCommand}</Note>
        <a href="/">{texts.toConsole}</a>
      </Narrow>
    );
  return (
    <Narrow title={texts.logInCommandLine}>
      <p>{texts.commandLineOnThisComputer}</p>
      <Facts
        of={[
          [texts.youAre, now.user.email ?? now.user.username],
          [texts.itListensAt, <code key="port">{callbackOf(request)}</code>],
          [texts.itMay, mayDo(now.user.superAdmin)],
          [texts.itAppearsAs, texts.commandLineInList],
        ]}
      />
      <Organization current={now.organizationId} />
      <Note kind="warn">{texts.agreeOnlyIfYou}</Note>
      {request.challenge === undefined ? (
        <ByTokens request={request} />
      ) : (
        <ByCode request={request} challenge={request.challenge} />
      )}
    </Narrow>
  );
}

/** A session selects each of the user's organizations, the one that is shown first. */
const mayDo = (isSuperAdmin: boolean): string => (isSuperAdmin ? texts.doAllAndAdminister : texts.doAll);

function Organization({ current }: { readonly current: string }) {
  const { data } = useQuery(ask('account', 'organizations', {}));
  return (
    <SelectField
      label={words.organization}
      value={current}
      onChange={(event) => void chooseOrganization(event.target.value)}
    >
      {data?.organizations.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

import { useEffect, useState } from 'react';
import { useAddress } from '../../app/address.ts';
import { Note } from '../../ui/note.tsx';
import { Page } from '../../ui/page.tsx';
import { passOn } from './authorization.ts';
import { texts } from './texts.ts';

/** Where GitHub and Azure lead back to: the code goes to the window that asked for it, and out of the address. */
export function Screen() {
  const [{ code, state, error, error_description: why }, go] = useAddress();
  const [isPassedOn, setPassedOn] = useState(false);
  useEffect(() => {
    if (code === undefined || state === undefined) return;
    passOn({ code, state });
    setPassedOn(true);
    go({ code: undefined, state: undefined, session_state: undefined }, { replace: true });
    // Once, for the answer in the address.
  }, [code, state]);
  return (
    <Page title={texts.authorization}>
      {isPassedOn ? (
        <p>{texts.itIsAuthorized}</p>
      ) : (
        <Note kind="bad">{texts.itIsNotAuthorized(why ?? error ?? texts.addressHasNoCode)}</Note>
      )}
    </Page>
  );
}

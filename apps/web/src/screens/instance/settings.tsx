import type { Outputs } from '@coffer/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { Button } from '../../ui/button.tsx';
import { Facts, Part } from '../../ui/detail.tsx';
import { ErrorNote } from '../../ui/error.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Queried } from '../../ui/query.tsx';
import { toast } from '../../ui/toast.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Config = Outputs['instance']['config']['config'];

/** Who may sign up, and what the operator has configured. */
export function Settings() {
  const config = useQuery(ask('instance', 'config', {}));
  const status = useQuery(ask('instance', 'status', {}));
  return (
    <>
      <Part title={texts.signUp}>
        <Queried query={config}>{({ config: current }) => <SignUp key={current.updatedAt} config={current} />}</Queried>
      </Part>
      <Part title={texts.byOperator}>
        <Queried query={status}>
          {({ emailConfigured }) => <Facts of={[[words.eMail, emailConfigured ? texts.isSent : texts.isNotSent]]} />}
        </Queried>
      </Part>
    </>
  );
}

function SignUp({ config }: { readonly config: Config }) {
  const [allowSignUp, setAllowed] = useState(config.allowSignUp);
  const [domains, setDomains] = useState(config.allowedSignUpDomain ?? '');
  const configure = useChange('instance', 'configure');
  const form = useForm(async () => {
    await configure.mutateAsync({ allowSignUp, allowedSignUpDomain: domains.trim() || null });
    toast(texts.settingsAreSaved);
  });
  return (
    <form onSubmit={form.submit}>
      <CheckField
        label={texts.anybodyMayCreateAccount}
        checked={allowSignUp}
        onChange={(event) => setAllowed(event.target.checked)}
      />
      <TextField
        label={texts.onlyWithAddressesOfTheseDomains}
        hint={texts.byCommas}
        placeholder={texts.exampleDomains}
        disabled={!allowSignUp}
        value={domains}
        onChange={(event) => setDomains(event.target.value)}
      />
      {form.error !== undefined && <ErrorNote error={form.error} />}
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {words.save}
      </Button>
    </form>
  );
}

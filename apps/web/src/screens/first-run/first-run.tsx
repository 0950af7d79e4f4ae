import { CofferError } from '@coffer/client';
import { useState } from 'react';
import { anonymous, coffer, signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Narrow } from '../../ui/page.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

const isAboutCode = (error: unknown) => error instanceof CofferError && error.reason.includes('setup_code');

/** The first administrator, organization and project of a new server. */
export function FirstRun() {
  const [organization, setOrganization] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [setupCode, setSetupCode] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const form = useForm(async () => {
    try {
      await anonymous.instance.bootstrap.mutate({ email, password, organization, ...(setupCode && { setupCode }) });
    } catch (error) {
      if (isAboutCode(error)) setNeedsCode(true);
      throw error;
    }
    await signIn(email, password);
    await firstProject();
  });
  return (
    <Narrow title={texts.welcome}>
      <form onSubmit={form.submit}>
        <p>{texts.thisServerHasNoAdministrator}</p>
        <TextField
          label={words.organization}
          required
          autoFocus
          hint={texts.yourCompanyOrTeam}
          value={organization}
          onChange={(event) => setOrganization(event.target.value)}
        />
        <TextField
          label={words.eMail}
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label={words.password}
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint={texts.atLeast12Characters}
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {needsCode && (
          <TextField
            label={texts.setUpCode}
            isMono
            required
            hint={texts.fromLogOfServer}
            value={setupCode}
            onChange={(event) => setSetupCode(event.target.value)}
          />
        )}
        {form.error !== undefined && <p role="alert">{explain(form.error)}</p>}
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          {words.create}
        </Button>
      </form>
    </Narrow>
  );
}

/** A project with a secret, so that there is something to read. Without it, the list of projects offers to create one. */
async function firstProject(): Promise<void> {
  const { project } = await coffer.projects.create.mutate({ projectName: texts.firstProject });
  const environment = project.environments[0]?.slug ?? 'dev';
  await coffer.secrets.create.mutate({
    projectId: project.id,
    environment,
    secretName: 'GREETING',
    secretValue: texts.helloFromCoffer,
  });
  location.assign(`/projects/${project.id}/read-by-machine`);
}

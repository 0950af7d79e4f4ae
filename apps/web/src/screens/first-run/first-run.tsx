import { CofferError } from '@coffer/client';
import { useState } from 'react';
import { anonymous, coffer, signIn } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { Narrow } from '../../ui/page.tsx';

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
    <Narrow title="Welcome">
      <form onSubmit={form.submit}>
        <p>This server has no administrator yet. You become the first one.</p>
        <TextField
          label="Organization"
          required
          autoFocus
          hint="Your company or team"
          value={organization}
          onChange={(event) => setOrganization(event.target.value)}
        />
        <TextField
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="new-password"
          required
          minLength={12}
          hint="At least 12 characters"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {needsCode && (
          <TextField
            label="Set-up code"
            isMono
            required
            hint="From the log of the server, or its file setup-code"
            value={setupCode}
            onChange={(event) => setSetupCode(event.target.value)}
          />
        )}
        {form.error !== undefined && <p role="alert">{explain(form.error)}</p>}
        <Button kind="primary" type="submit" isBusy={form.isBusy}>
          Create
        </Button>
      </form>
    </Narrow>
  );
}

/** A project with a secret, so that there is something to read. Without it, the list of projects offers to create one. */
async function firstProject(): Promise<void> {
  const { project } = await coffer.projects.create.mutate({ projectName: 'First project' });
  const environment = project.environments[0]?.slug ?? 'dev';
  await coffer.secrets.create.mutate({
    projectId: project.id,
    environment,
    secretName: 'GREETING',
    secretValue: 'Hello from Coffer',
  });
  location.assign(`/projects/${project.id}/read-by-machine`);
}

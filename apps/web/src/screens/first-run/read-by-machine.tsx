import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useOrganizationRights, useProjectRights } from '../../app/rights.ts';
import { coffer, session } from '../../app/session.ts';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { explain } from '../../ui/error.tsx';
import { EnvironmentField } from '../../ui/environment-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { useForm } from '../../ui/form.ts';
import { NotAllowed, Note } from '../../ui/note.tsx';
import { Once } from '../../ui/once.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface Machine {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A machine identity for a program, and how the program reads secrets with it: three ways, to be copied as they are. */
export function Screen() {
  const projectId = useProjectId();
  const project = useQuery(ask('projects', 'get', { projectId }));
  const [machine, setMachine] = useState<Machine>();
  const [environment, setEnvironment] = useState<string>();
  return (
    <Page title={texts.readByMachine} lead={texts.programsLogInAsMachine}>
      <Queried query={project}>
        {({ project: { environments } }) => {
          const chosen = environment ?? environments[0]?.slug ?? '';
          return (
            <>
              <Card>
                <h2>{texts.stepOne}</h2>
                {machine ? <Made {...machine} /> : <NewMachine projectId={projectId} onMade={setMachine} />}
              </Card>
              <Card>
                <h2>{texts.stepTwo}</h2>
                <EnvironmentField environments={environments} value={chosen} onChange={setEnvironment} />
                <Ways projectId={projectId} environment={chosen} />
              </Card>
            </>
          );
        }}
      </Queried>
    </Page>
  );
}

function NewMachine({ projectId, onMade }: { readonly projectId: string; readonly onMade: (made: Machine) => void }) {
  const inOrganization = useOrganizationRights();
  const inProject = useProjectRights(projectId);
  const [name, setName] = useState('my-program');
  const form = useForm(async () => onMade(await makeMachine(projectId, name)));
  if (!inOrganization('identity', 'create') || !inProject('identity', 'create'))
    return <NotAllowed what={texts.createMachineIdentitiesAndAdd} action="create" subject="identity" />;
  return (
    <form onSubmit={form.submit}>
      <TextField
        label={words.name}
        required
        hint={texts.itMayReadSecrets}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={form.error ? explain(form.error) : undefined}
      />
      <Button kind="primary" type="submit" isBusy={form.isBusy}>
        {words.create}
      </Button>
    </form>
  );
}

/** A machine identity that reads secrets of one project. */
async function makeMachine(projectId: string, name: string): Promise<Machine> {
  const now = session.get();
  if (now.state !== 'signed-in') throw new Error('Nobody is signed in');
  const { identity } = await coffer.identities.create.mutate({ name, organizationId: now.organizationId });
  const identityId = identity.id;
  await coffer.projectIdentities.add.mutate({ projectId, identityId, role: 'viewer' });
  const { identityUniversalAuth } = await coffer.universalAuth.attach.mutate({ identityId });
  const { clientSecret } = await coffer.universalAuth.createClientSecret.mutate({ identityId, description: name });
  return { clientId: identityUniversalAuth.clientId, clientSecret };
}

const Made = ({ clientId, clientSecret }: Machine) => (
  <Once of={[[texts.clientSecret, clientSecret]]}>
    {() => (
      <>
        <Note kind="warn">{texts.secretIsShownOnce}</Note>
        <Code
          label={texts.itsEnvironment}
        >{`export COFFER_UNIVERSAL_AUTH_CLIENT_ID=${clientId}\nexport COFFER_UNIVERSAL_AUTH_CLIENT_SECRET=${clientSecret}`}</Code>
      </>
    )}
  </Once>
);

interface WaysProps {
  readonly projectId: string;
  readonly environment: string;
}

function Ways({ projectId, environment }: WaysProps) {
  const { origin } = location;
  return (
    <>
      <h3>{texts.commandLine}</h3>
      <p>{texts.inFolderOfCoffer}</p>
      <Code label={texts.commandLine}>{`export PATH="$PWD/node_modules/.bin:$PATH"
export COFFER_DOMAIN=${origin}
coffer run --projectId ${projectId} --env ${environment} -- env`}</Code>
      <h3>curl</h3>
      <Code label="curl">{`TOKEN=$(curl -s ${origin}/api/v1/auth/universal-auth/login -H 'content-type: application/json' \\
  -d "{\\"clientId\\":\\"$COFFER_UNIVERSAL_AUTH_CLIENT_ID\\",\\"clientSecret\\":\\"$COFFER_UNIVERSAL_AUTH_CLIENT_SECRET\\"}" \\
  | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')
curl -H "Authorization: Bearer $TOKEN" '${origin}/api/v4/secrets?projectId=${projectId}&environment=${environment}'`}</Code>
      <h3>TypeScript</h3>
      <p>{texts.saveItAs(<code>read.ts</code>, <code>npx node read.ts</code>)}</p>
      <Code label="TypeScript">{`import { createCofferClient } from '@coffer/client';

const coffer = createCofferClient({
  url: '${origin}',
  auth: {
    clientId: process.env.COFFER_UNIVERSAL_AUTH_CLIENT_ID!,
    clientSecret: process.env.COFFER_UNIVERSAL_AUTH_CLIENT_SECRET!,
  },
});
const { secrets } = await coffer.secrets.list.query({ projectId: '${projectId}', environment: '${environment}' });
for (const { secretKey, secretValue } of secrets) console.log(secretKey, secretValue);`}</Code>
    </>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ask, useChange } from '../../app/ask.ts';
import { useOrganizationRights } from '../../app/rights.ts';
import { Button } from '../../ui/button.tsx';
import { Actions, Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/error.tsx';
import { TextField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The projects of the organization that the user is in. */
export function Screen() {
  const projects = useQuery(ask('projects', 'list', {}));
  const may = useOrganizationRights();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = may('project', 'create') || may('workspace', 'create');
  return (
    <Page
      title={words.projects}
      lead={texts.secretsCertificatesAndKeys}
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Plus size={16} aria-hidden /> {texts.newProject}
          </Button>
        )
      }
    >
      <Queried query={projects}>
        {({ projects: all }) => (
          <Table
            label={words.projects}
            rows={all}
            keyOf={({ id }) => id}
            empty={mayCreate ? texts.youMayCreateProject : texts.youAreInNoProject}
            columns={[
              {
                title: words.name,
                cell: ({ id, name }) => (
                  <Link to="/projects/$projectId/secrets" params={{ projectId: id }}>
                    {name}
                  </Link>
                ),
              },
              { title: words.slug, cell: ({ slug }) => <code>{slug}</code> },
              {
                title: words.environments,
                cell: ({ environments }) => environments.map(({ name }) => name).join(', '),
              },
              { title: words.created, cell: ({ createdAt }) => <Time at={createdAt} /> },
            ]}
          />
        )}
      </Queried>
      {isCreating && <NewProject onClose={() => setCreating(false)} />}
    </Page>
  );
}

function NewProject({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState('');
  const create = useChange('projects', 'create');
  const navigate = useNavigate();
  const submit = () =>
    create.mutate(
      { projectName: name },
      {
        onSuccess: ({ project }) =>
          void navigate({ to: '/projects/$projectId/secrets', params: { projectId: project.id } }),
      },
    );
  return (
    <Dialog title={texts.newProject} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label={words.name}
          required
          autoFocus
          maxLength={64}
          hint={texts.itGetsEnvironmentsDevelopment}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={create.error ? explain(create.error) : undefined}
        />
        <Actions>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            {words.create}
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

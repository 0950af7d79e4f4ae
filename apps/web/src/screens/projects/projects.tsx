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

/** The projects of the organization that the user is in. */
export function Screen() {
  const projects = useQuery(ask('projects', 'list', {}));
  const may = useOrganizationRights();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = may('project', 'create') || may('workspace', 'create');
  return (
    <Page
      title="Projects"
      lead="Secrets, certificates and keys belong to projects."
      actions={
        mayCreate && (
          <Button kind="primary" onClick={() => setCreating(true)}>
            <Plus size={16} aria-hidden /> New project
          </Button>
        )
      }
    >
      <Queried query={projects}>
        {({ projects: all }) => (
          <Table
            label="Projects"
            rows={all}
            keyOf={({ id }) => id}
            empty={
              mayCreate
                ? 'There is no project yet: create the first one.'
                : 'You are in no project: ask an administrator to add you to one.'
            }
            columns={[
              {
                title: 'Name',
                cell: ({ id, name }) => (
                  <Link to="/projects/$projectId/secrets" params={{ projectId: id }}>
                    {name}
                  </Link>
                ),
              },
              { title: 'Slug', cell: ({ slug }) => <code>{slug}</code> },
              { title: 'Environments', cell: ({ environments }) => environments.map(({ name }) => name).join(', ') },
              { title: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
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
    <Dialog title="New project" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={64}
          hint="It gets the environments Development, Staging and Production."
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={create.error ? explain(create.error) : undefined}
        />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isPending}>
            Create
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}

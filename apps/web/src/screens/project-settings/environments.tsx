import { ArrowDown, ArrowUp, Plus } from 'lucide-react';
import { useState } from 'react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Row } from '../../ui/field.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';
import { AFFECTED, DeleteEnvironment, EnvironmentDialog } from './environment-dialog.tsx';
import type { Project } from './project.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

type Environment = Project['environments'][number];

/** The environments in their order, which all screens follow. */
export function Environments({ project: { id: projectId, environments } }: { readonly project: Project }) {
  const may = useProjectRights(projectId);
  const update = useChange('environments', 'update', AFFECTED);
  const [opened, setOpened] = useState<Environment | 'new'>();
  const close = () => setOpened(undefined);
  const step = (one: Environment, by: -1 | 1) => {
    const position = environments.indexOf(one) + 1 + by;
    return (
      <IconButton
        label={`${by < 0 ? texts.earlier : texts.later}: ${one.name}`}
        disabled={position < 1 || position > environments.length || update.isPending}
        onClick={() => update.mutate({ projectId, id: one.id, position }, { onError: toastError })}
      >
        {by < 0 ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
      </IconButton>
    );
  };
  const columns: readonly (Column<Environment> | false)[] = [
    { title: words.name, cell: ({ name }) => name },
    { title: words.slug, cell: ({ slug }) => <code>{slug}</code> },
    may('environments', 'edit') && {
      title: texts.order,
      cell: (one) => (
        <Row>
          {step(one, -1)}
          {step(one, 1)}
        </Row>
      ),
    },
    (may('environments', 'edit') || may('environments', 'delete')) && {
      title: words.actions,
      cell: (one) => (
        <Row>
          {may('environments', 'edit') && (
            <Button aria-label={texts.renameName(one.name)} onClick={() => setOpened(one)}>
              {texts.rename}
            </Button>
          )}
          {may('environments', 'delete') && <DeleteEnvironment projectId={projectId} of={one} />}
        </Row>
      ),
    },
  ];
  return (
    <>
      <Table
        label={words.environments}
        rows={environments}
        keyOf={({ id }) => id}
        empty={texts.thereIsNoEnvironment}
        columns={columns.filter((column) => column !== false)}
      />
      {may('environments', 'create') && (
        <Button onClick={() => setOpened('new')}>
          <Plus size={16} aria-hidden /> {texts.newEnvironment}
        </Button>
      )}
      {opened && <EnvironmentDialog projectId={projectId} of={opened} onClose={close} />}
    </>
  );
}

import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Status, type State } from '../../ui/detail.tsx';
import { Row } from '../../ui/field.tsx';
import { toastOutcome } from '../../ui/requested.tsx';
import { Table } from '../../ui/table.tsx';
import { toastError } from '../../ui/toast.tsx';
import type { Place, SecretImport } from './place.ts';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

interface ImportTableProps {
  readonly place: Place;
  readonly imports: readonly SecretImport[];
}

const nameOf = ({ importEnv, importPath }: SecretImport): string => `${importEnv.slug} ${importPath}`;

/** How the copies of a replication are. */
function stateOf({ isReplication, isReplicationSuccess, replicationStatus, lastReplicated }: SecretImport): State {
  if (!isReplication) return { text: texts.readFromThere };
  if (isReplicationSuccess === null) return { kind: 'warn', text: texts.copiesAreOnTheirWay };
  return {
    kind: isReplicationSuccess ? 'good' : 'bad',
    text: isReplicationSuccess ? texts.copied : texts.notCopied,
    at: lastReplicated,
    why: isReplicationSuccess ? undefined : replicationStatus,
  };
}

/** The imports of a folder in their order: the last one that has a name counts. */
export function ImportTable({ place, imports }: ImportTableProps) {
  const may = useProjectRights(place.projectId);
  const update = useChange('secretImports', 'update', ['secretImports', 'secrets']);
  const remove = useChange('secretImports', 'delete', ['secretImports', 'secrets']);
  const move = (one: SecretImport, to: SecretImport) => {
    update
      .mutateAsync({ ...place, secretImportId: one.id, import: { position: to.position } })
      .then((answer) => toastOutcome(place.projectId, [answer], texts.hasPositionNow(nameOf(one), to.position)))
      .catch(toastError);
  };
  const step = (one: SecretImport, by: -1 | 1, label: string) => {
    const to = imports[imports.indexOf(one) + by];
    return (
      <IconButton label={`${label}: ${nameOf(one)}`} disabled={!to} onClick={() => to && move(one, to)}>
        {by < 0 ? <ArrowUp size={14} /> : <ArrowDown size={14} />}
      </IconButton>
    );
  };
  return (
    <Table
      label={texts.imports}
      rows={imports}
      keyOf={({ id }) => id}
      empty={texts.thisFolderImportsNothing}
      columns={[
        { title: words.position, cell: ({ position }) => position },
        {
          title: words.from,
          cell: (one) => (
            <Link
              to="/projects/$projectId/secrets"
              params={{ projectId: place.projectId }}
              search={{ path: one.importPath }}
            >
              {nameOf(one)}
            </Link>
          ),
        },
        { title: texts.kind, cell: ({ isReplication }) => (isReplication ? texts.replication : words.import) },
        { title: words.state, cell: (one) => <Status {...stateOf(one)} /> },
        {
          title: texts.order,
          cell: (one) =>
            may('secret-imports', 'edit') && (
              <Row>
                {step(one, -1, texts.earlier)}
                {step(one, 1, texts.later)}
              </Row>
            ),
        },
        {
          title: words.remove,
          cell: (one) =>
            may('secret-imports', 'delete') && (
              <Act
                label={words.remove}
                kind="danger"
                run={async () => {
                  const answer = await remove.mutateAsync({ ...place, secretImportId: one.id });
                  toastOutcome(place.projectId, [answer], texts.removed);
                }}
                ask={{
                  title: texts.removeImportOf(nameOf(one)),
                  children: <p>{one.isReplication ? texts.copiesGoWithIt : texts.whatComesFromThere}</p>,
                }}
              />
            ),
        },
      ]}
    />
  );
}

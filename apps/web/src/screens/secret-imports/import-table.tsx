import { Link } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useChange } from '../../app/ask.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Act } from '../../ui/act.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Status, type State } from '../../ui/detail.tsx';
import { Row } from '../../ui/field.tsx';
import { Table } from '../../ui/table.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { doneText, type Place, type SecretImport } from './place.ts';

interface ImportTableProps {
  readonly place: Place;
  readonly imports: readonly SecretImport[];
}

const nameOf = ({ importEnv, importPath }: SecretImport): string => `${importEnv.slug} ${importPath}`;

/** How the copies of a replication are. */
function stateOf({ isReplication, isReplicationSuccess, replicationStatus, lastReplicated }: SecretImport): State {
  if (!isReplication) return { text: 'read from there' };
  if (isReplicationSuccess === null) return { kind: 'warn', text: 'copies are on their way' };
  return {
    kind: isReplicationSuccess ? 'good' : 'bad',
    text: isReplicationSuccess ? 'copied' : 'not copied',
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
      .then((answer) => toast(doneText(answer, `${nameOf(one)} has position ${to.position} now.`)))
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
      label="Imports"
      rows={imports}
      keyOf={({ id }) => id}
      empty="This folder imports nothing."
      columns={[
        { title: 'Position', cell: ({ position }) => position },
        {
          title: 'From',
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
        { title: 'Kind', cell: ({ isReplication }) => (isReplication ? 'Replication' : 'Import') },
        { title: 'State', cell: (one) => <Status {...stateOf(one)} /> },
        {
          title: 'Order',
          cell: (one) =>
            may('secret-imports', 'edit') && (
              <Row>
                {step(one, -1, 'Earlier')}
                {step(one, 1, 'Later')}
              </Row>
            ),
        },
        {
          title: 'Remove',
          cell: (one) =>
            may('secret-imports', 'delete') && (
              <Act
                label="Remove"
                kind="danger"
                run={async () =>
                  toast(doneText(await remove.mutateAsync({ ...place, secretImportId: one.id }), 'Removed.'))
                }
                ask={{
                  title: `Remove the import of ${nameOf(one)}?`,
                  children: (
                    <p>
                      {one.isReplication ? 'The copies go with it.' : 'What comes from there is no longer read here.'}
                    </p>
                  ),
                }}
              />
            ),
        },
      ]}
    />
  );
}

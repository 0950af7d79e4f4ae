import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { NewButton } from '../../ui/creation.tsx';
import { Status } from '../../ui/detail.tsx';
import { Page } from '../../ui/page.tsx';
import { Queried } from '../../ui/query.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { NewRotation } from './new-rotation.tsx';
import { rotationState, useRotationTypes } from './rotation.ts';

/** The credentials of other systems that are replaced regularly, with their secrets. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const { data: types } = useRotationTypes();
  const rotations = useQuery(ask('secretRotations', 'listAll', { projectId }));
  return (
    <Page
      title="Secret rotations"
      lead="Credentials of other systems that are replaced regularly; their secrets always have the current ones."
      actions={may('secret-rotation', 'create') && <NewButton>New rotation</NewButton>}
    >
      <Queried query={rotations}>
        {({ secretRotations }) => (
          <Table
            label="Secret rotations"
            rows={secretRotations}
            keyOf={({ id }) => id}
            empty="Nothing is rotated yet: create a rotation for a login of a database or a key of a cloud."
            columns={[
              {
                title: 'Name',
                cell: ({ id, name, type }) => (
                  <Link
                    to="/projects/$projectId/secret-rotations/$type/$rotationId"
                    params={{ projectId, type, rotationId: id }}
                  >
                    {name}
                  </Link>
                ),
              },
              { title: 'Type', cell: ({ type }) => types?.find((one) => one.type === type)?.name ?? type },
              { title: 'Folder', cell: ({ environment, folder }) => `${environment.name} ${folder.path}` },
              { title: 'Last rotation', cell: (rotation) => <Status {...rotationState(rotation)} /> },
              {
                title: 'Next',
                cell: ({ nextRotationAt }) => (nextRotationAt ? <Time at={nextRotationAt} /> : 'On request'),
              },
            ]}
          />
        )}
      </Queried>
      <NewRotation />
    </Page>
  );
}

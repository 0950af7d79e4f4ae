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
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The credentials of other systems that are replaced regularly, with their secrets. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const { data: types } = useRotationTypes();
  const rotations = useQuery(ask('secretRotations', 'listAll', { projectId }));
  return (
    <Page
      title={texts.secretRotations}
      lead={texts.credentialsOfOtherSystems}
      actions={may('secret-rotation', 'create') && <NewButton>{texts.newRotation}</NewButton>}
    >
      <Queried query={rotations}>
        {({ secretRotations }) => (
          <Table
            label={texts.secretRotations}
            rows={secretRotations}
            keyOf={({ id }) => id}
            empty={texts.nothingIsRotatedYet}
            columns={[
              {
                title: words.name,
                cell: ({ id, name, type }) => (
                  <Link
                    to="/projects/$projectId/secret-rotations/$type/$rotationId"
                    params={{ projectId, type, rotationId: id }}
                  >
                    {name}
                  </Link>
                ),
              },
              { title: words.type, cell: ({ type }) => types?.find((one) => one.type === type)?.name ?? type },
              { title: words.folder, cell: ({ environment, folder }) => `${environment.name} ${folder.path}` },
              { title: texts.lastRotation, cell: (rotation) => <Status {...rotationState(rotation)} /> },
              {
                title: words.next,
                cell: ({ nextRotationAt }) => (nextRotationAt ? <Time at={nextRotationAt} /> : texts.onRequest),
              },
            ]}
          />
        )}
      </Queried>
      <NewRotation />
    </Page>
  );
}

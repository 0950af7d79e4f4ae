import { useQuery } from '@tanstack/react-query';
import { ask } from '../../app/ask.ts';
import { useProjectId } from '../../app/project.ts';
import { useProjectRights } from '../../app/rights.ts';
import { Queried } from '../../ui/query.tsx';
import { RolesPage, RolesTable } from './roles-table.tsx';
import { texts } from './texts.ts';
import { words } from '../../ui/words.texts.ts';

/** The roles of a project. */
export function Screen() {
  const projectId = useProjectId();
  const may = useProjectRights(projectId);
  const roles = useQuery(ask('projectRoles', 'list', { projectId }));
  const one = { to: '/projects/$projectId/role', params: { projectId } };
  return (
    <RolesPage title={words.roles} lead={texts.roleIsListOfRules} one={one} may={may}>
      <Queried query={roles}>{(found) => <RolesTable roles={found.roles} one={one} />}</Queried>
    </RolesPage>
  );
}

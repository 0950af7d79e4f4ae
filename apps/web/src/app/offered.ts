import { useParams } from '@tanstack/react-router';
import type { Screen } from './screen.ts';
import { screens } from './screens.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

/** The screens to offer where one is: those of projects in one, those of the instance to its administrators. */
export function useOfferedScreens(): readonly Screen[] {
  const { projectId } = useParams({ strict: false });
  const now = useStore(session);
  const isAdmin = now.state === 'signed-in' && now.user.superAdmin;
  return screens.filter(
    ({ group, isDetail }) =>
      !isDetail && (group !== 'project' || projectId !== undefined) && (group !== 'instance' || isAdmin),
  );
}

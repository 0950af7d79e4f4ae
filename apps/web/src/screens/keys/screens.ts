import { KeyRound } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { kindScreens } from '../../ui/kind-screens.ts';
import { texts } from './screens.texts.ts';

const [list, one] = kindScreens({
  path: '/projects/$projectId/keys',
  label: texts.keysKms,
  group: 'project',
  icon: KeyRound,
  load: () => import('./keys.tsx'),
});

/** Keys that are used without being given out. */
export const keyScreens: readonly Screen[] = [{ ...list, isTab: false }, one];

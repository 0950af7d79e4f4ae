import { Server } from 'lucide-react';
import type { Screen } from '../../app/screen.ts';
import { texts } from './screens.texts.ts';

/** For the administrators of the instance. */
export const instanceScreens: readonly Screen[] = [
  {
    path: '/instance',
    label: texts.instance,
    group: 'instance',
    icon: Server,
    load: () => import('./instance.tsx'),
  },
];

import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Screen } from '../app/screen.ts';

interface KindScreens {
  readonly path: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly load: () => Promise<{ readonly Screen: ComponentType; readonly One: ComponentType }>;
}

/** The list of a kind of things, reached by tabs and the palette, and the page of one of them. */
export const kindScreens = ({ path, label, icon, load }: KindScreens): readonly [list: Screen, one: Screen] => [
  { path, label, icon, load, group: 'project', isTab: true },
  {
    path: `${path}/$id`,
    label,
    icon,
    group: 'project',
    isDetail: true,
    load: async () => ({ Screen: (await load()).One }),
  },
];

import type { LucideIcon } from 'lucide-react';
import type { ComponentType } from 'react';

/** Where a screen stands in the navigation. */
export type Group = 'organization' | 'project' | 'instance' | 'account';

export interface Screen {
  /** Its address, with `$projectId` for screens of a project. */
  readonly path: string;
  readonly label: string;
  readonly group: Group;
  readonly icon: LucideIcon;
  /** Loaded when it is first opened. */
  readonly load: () => Promise<{ readonly Screen: ComponentType }>;
  /** Reached from another screen: not in the navigation. */
  readonly isDetail?: boolean;
  /** Reached from the tabs of another screen, and the palette: not in the navigation. */
  readonly isTab?: boolean;
  /** Open to everybody: shown without signing in, too. */
  readonly isPublic?: boolean;
  /** Nothing stands round it: no navigation. */
  readonly isAlone?: boolean;
  /** Stands behind its name in the navigation. */
  readonly Badge?: ComponentType;
}

import { Link } from '@tanstack/react-router';
import { useProjectId } from '../app/project.ts';
import { Tabs } from './page.tsx';

/** Links to the screens of an area of a project. */
export const screenTabs = (label: string, screens: readonly (readonly [path: string, label: string])[]) =>
  function ScreenTabs() {
    const projectId = useProjectId();
    return (
      <Tabs label={label}>
        {screens.map(([path, title]) => (
          <Link key={path} to={path} params={{ projectId }} activeOptions={{ exact: true, includeSearch: false }}>
            {title}
          </Link>
        ))}
      </Tabs>
    );
  };

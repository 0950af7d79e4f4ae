import { useAddress } from '../../app/address.ts';
import { useProjectId } from '../../app/project.ts';
import { RolePage } from './role.tsx';
import { useProjectScope } from './scope.ts';

/** One role of a project; without `?slug=`, a new one. */
export function Screen() {
  const [{ slug }] = useAddress();
  return <RolePage key={slug} slug={slug} scope={useProjectScope(useProjectId(), slug ?? '')} />;
}

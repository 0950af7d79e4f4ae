export { Screen } from '../projects/projects.tsx';

export { vercel } from './vercel.ts';

import { router } from './kernel/index.ts';
import { instanceRouter } from './instance/instance.router.ts';

const routes = {
  instance: instanceRouter,
};
type Routes = typeof routes;

/** Annotated, so that its declaration stays a name and no text of half a megabyte. */
export type AppRouter = ReturnType<typeof router<Routes>>;
export const appRouter: AppRouter = router(routes);

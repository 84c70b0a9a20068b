/** What of the router the build keeps for `main.tsx` to run as a task of its own. */
export { createBrowserRouter } from 'react-router';

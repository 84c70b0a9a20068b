/** See `web/vite/react-router-apart.ts`. */
declare module 'react-router?apart' {
  export { createBrowserRouter } from 'react-router';
}

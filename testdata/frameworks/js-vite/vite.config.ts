import { defineConfig, type Plugin, type ViteDevServer } from 'vite'

// pages renders every page on the server, with the code as it is now.
function pages(): Plugin {
  return {
    name: 'pages',
    configureServer(server: ViteDevServer) {
      server.middlewares.use(async (req, res, next) => {
        if (!req.url?.startsWith('/guests/')) return next()
        const { render } = await server.ssrLoadModule('/src/page.ts')
        res.setHeader('Content-Type', 'text/html')
        res.end(render(req.url))
      })
    },
  }
}

export default defineConfig({ appType: 'custom', plugins: [pages()], server: { port: 0, ws: false } })

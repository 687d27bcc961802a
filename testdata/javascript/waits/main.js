// Programs that wait, one for each argument. A marked line is where one stands.
const net = require("net");

const kernels = {
  server() {
    const server = net.createServer(() => {}).listen(0, "127.0.0.1", () => {
      setTimeout(() => server.close(), 600000);
      debugger; // @mark stands
    });
  },
};

kernels[process.argv[2]]();

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

public class Serve {
    public static void main(String[] args) throws Exception {
        if (args.length > 1) {
            System.err.println("no settings: PAGES is missing");
            System.exit(3);
        }
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 0).start();
    }
}

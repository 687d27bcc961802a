package shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;

@SpringBootApplication
public class ShopApplication {
    @EventListener
    void listening(WebServerInitializedEvent event) {
        System.out.println("listening on 127.0.0.1:" + event.getWebServer().getPort());
    }

    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}

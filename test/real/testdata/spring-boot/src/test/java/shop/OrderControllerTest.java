package shop;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.servlet.MockMvc;

@SpringBootTest
@AutoConfigureMockMvc
class OrderControllerTest {
    @Autowired
    MockMvc shop;

    @Test
    void answersWithTheAverage() throws Exception {
        shop.perform(get("/orders/1"))
            .andExpect(status().isOk())
            .andExpect(jsonPath("$.average").value(233));
    }

    @Test
    void answersAnOrderWithoutLines() throws Exception {
        shop.perform(get("/orders/2")).andExpect(status().isOk());
    }
}

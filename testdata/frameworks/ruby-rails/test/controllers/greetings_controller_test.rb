require "test_helper"

class GreetingsControllerTest < ActionDispatch::IntegrationTest
  test "greets in another language" do
    get "/greet/ada", params: { word: "Bonjour" }
    assert_equal "Bonjour, Ada", response.body
  end

  test "greets politely without a word" do
    get "/greet/ada"
    assert_response :success
    assert_equal "Hello, Ada", response.body
  end
end

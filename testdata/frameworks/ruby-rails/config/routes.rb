Rails.application.routes.draw do
  get "/greet/:name", to: "greetings#show"
end

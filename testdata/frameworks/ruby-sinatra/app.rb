# Greets whoever asks over HTTP.
require "sinatra"

set :bind, "127.0.0.1"
set :port, ENV.fetch("PORT", 0)

get "/greet" do
  greeting = "Hello, #{params["name"]}"
  greeting.upcase # @mark greet
end

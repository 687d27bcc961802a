class GreetingsController < ActionController::Base
  def show
    greeting = Greeting.new(params[:name], params.fetch(:word, "Hello"))
    render plain: greeting.to_s # @mark show
  end
end

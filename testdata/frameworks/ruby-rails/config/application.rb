require_relative "boot"

require "rails"
require "action_controller/railtie"
require "rails/test_unit/railtie"

module Greetings
  class Application < Rails::Application
    config.load_defaults 6.1
    config.eager_load = false
    config.secret_key_base = "of a sample, which keeps no secret"
    config.logger = Logger.new($stdout)
    config.log_level = :warn
    config.hosts.clear
    config.action_dispatch.show_exceptions = !Rails.env.test?
  end
end

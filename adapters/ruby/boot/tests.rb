# frozen_string_literal: true

module AIDB
  # Tests has the program stop where a test fails: when its framework takes note of the
  # exception, with the frames of the moment at which that was raised. It counts the tests.
  module Tests
    @ran = 0
    @seen = []

    class << self
      # watch waits for the classes of the frameworks to be defined.
      def watch
        wanted = { 'Minitest::Test' => Minitest, 'Minitest::Result' => nil, 'RSpec::Core::Example' => RSpec,
                   'Test::Unit::TestCase' => TestUnit, 'Test::Unit::TestResult' => TestUnitResult }
        hook = TracePoint.new(:end) do |tp|
          name = ::Module.instance_method(:name).bind_call(tp.self)
          next unless wanted.key?(name)

          part = wanted.delete(name)
          @seen << name
          part ? tp.self.prepend(part) : tp.self.singleton_class.prepend(MinitestResult)
          tp.disable if wanted.empty?
        end
        hook.enable
      end

      def ran = @ran += 1

      # failed stops at what has failed a test.
      def failed(error) = Raising.ended(error)

      # report tells at the end how many tests there were.
      def report
        return if @seen.empty?

        AIDB.tell("\x1dtests #{JSON.generate(ran: @ran)}")
      end

      # sides are the two values that the assertion compared which has failed: what the
      # framework's own function was given, or the error's own fields.
      def sides(error)
        return {} unless error

        own(error) || (Raising.frames(error) || []).lazy.filter_map { |frame| compared(frame) }.first || {}
      end

      private

      def own(error)
        return unless error.class.name == 'Test::Unit::AssertionFailedError' && error.inspected_expected

        { expected: Values.show(error.expected), actual: Values.show(error.actual), from: "the error's own fields" }
      end

      def compared(frame)
        scope = frame.binding
        return unless scope && frame.path.match?(%r{/minitest/assertions\.rb\z|/rspec/expectations/})

        names = scope.local_variables
        return matcher(scope) if names.include?(:matcher) && frame.path.include?('/rspec/')

        name = frame.location.base_label
        return if name.start_with?('refute') || !frame.path.end_with?('/minitest/assertions.rb')

        assertion(name, scope, names)
      end

      def assertion(name, scope, names)
        from = "the arguments of #{name}"
        value = ->(local) { Values.show(scope.local_variable_get(local)) }
        if (names & %i[exp act]).length == 2
          { expected: value[:exp], actual: value[:act], from: from }
        elsif name == 'assert_operator' && (names & %i[o1 o2]).length == 2
          { left: value[:o1], right: value[:o2], from: from }
        elsif name == 'assert_nil' && names.include?(:obj)
          { expected: 'nil', actual: value[:obj], from: from }
        end
      end

      COMPARING = %w[Eq Eql Equal Be BeComparedTo Match ContainExactly Include StartWith EndWith].freeze

      def matcher(scope)
        matcher = scope.local_variable_get(:matcher)
        kind = matcher.class.name.to_s
        return unless kind.start_with?('RSpec::Matchers::BuiltIn::') && COMPARING.include?(kind.split('::').last)
        return if scope.local_variable_defined?(:failure_message_method) && scope.local_variable_get(:failure_message_method) != :failure_message

        expected = matcher.instance_variable_get(:@expected)
        actual = matcher.instance_variable_get(:@actual)
        { expected: Values.show(expected), actual: Values.show(actual), from: 'the matcher of the expectation' }
      end
    end

    # Minitest's tests run their parts by this.
    module Minitest
      def capture_exceptions
        super do
          yield
        rescue ::Minitest::Skip, *::Minitest::Test::PASSTHROUGH_EXCEPTIONS
          raise
        rescue ::Exception => e # rubocop:disable Lint/RescueException
          Tests.failed(e)
          raise
        end
      end

    end

    # MinitestResult is made of each test that has run.
    module MinitestResult
      def from(*)
        Tests.ran
        super
      end
    end

    # RSpec's examples note here what has failed them.
    module RSpec
      def set_exception(error, *)
        Tests.failed(error) unless pending? || skipped?
        super
      end

      private

      def start(*)
        Tests.ran
        super
      end
    end

    # TestUnitResult counts its tests.
    module TestUnitResult
      def add_run(*)
        Tests.ran
        super
      end
    end

    # TestUnit's tests hand here to their handlers what was raised in them.
    module TestUnit
      STEERING = %w[Test::Unit::PendedError Test::Unit::OmittedError Test::Unit::NotifiedError].freeze

      private

      def handle_exception(error)
        Tests.failed(error) unless STEERING.include?(error.class.name)
        super
      end
    end

    watch
  end

  at_exit { Tests.report }
end

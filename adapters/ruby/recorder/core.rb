# frozen_string_literal: true

module AidbRecorder
  # Methods of the language itself, by which a value is looked at whatever its class has
  # defined under their names: nothing of the program's is called.
  module Core
    CLASS = Kernel.instance_method(:class)
    ID = Kernel.instance_method(:object_id)
    IVARS = Kernel.instance_method(:instance_variables)
    IVAR_GET = Kernel.instance_method(:instance_variable_get)
    IVAR_SET_P = Kernel.instance_method(:instance_variable_defined?)
    MODULE_NAME = Module.instance_method(:name)
    MODULE_TO_S = Module.instance_method(:to_s)
    SUPERCLASS = Class.instance_method(:superclass)
    SINGLETON = Kernel.instance_method(:singleton_class)
    INSTANCE_METHOD = Module.instance_method(:instance_method)
    METHOD_DEFINED = Module.instance_method(:method_defined?)
    PRIVATE_DEFINED = Module.instance_method(:private_method_defined?)
    STRING_INSPECT = String.instance_method(:inspect)
    STRING_SIZE = String.instance_method(:bytesize)
    ARRAY_AT = Array.instance_method(:at)
    ARRAY_SLICE = Array.instance_method(:slice)
    ARRAY_SIZE = Array.instance_method(:length)
    HASH_SIZE = Hash.instance_method(:length)
    HASH_KEYS = Hash.instance_method(:keys)
    HASH_VALUES = Hash.instance_method(:values)
    HASH_HAS = Hash.instance_method(:key?)
    HASH_FETCH = Hash.instance_method(:fetch)
    HASH_EACH = Hash.instance_method(:each_pair)
    STRUCT_VALUES = Struct.instance_method(:to_a)
    ERROR_TEXT = Exception.instance_method(:to_s)
    ERROR_TRACE = Exception.instance_method(:backtrace_locations)
    MISSING = Object.new.freeze
    # What has no identity of its own.
    PLAIN = [NilClass, TrueClass, FalseClass, Integer, Float, Symbol, Rational, Complex].freeze

    module_function

    def type(value)
      CLASS.bind_call(value)
    end

    def id(value)
      ID.bind_call(value)
    end

    def plain?(value)
      PLAIN.include?(type(value))
    end

    def ivars(value)
      IVARS.bind_call(value)
    end

    def ivar(value, name)
      IVAR_GET.bind_call(value, name)
    end

    # The name of a class or a module.
    def name(mod)
      MODULE_NAME.bind_call(mod) || MODULE_TO_S.bind_call(mod).gsub(/:0x\h+/, "")
    end

    # How the name of a method begins: with the class that has it, or with what has it by itself.
    def receiver_name(mod, receiver)
      return "#{name(mod)}#" unless mod.singleton_class?

      own = attached(mod, receiver)
      own ? "#{name(own)}." : "#{name(type(receiver))}#"
    end

    # The class or module that a singleton class is of: its text would be by the program's own inspect.
    def attached(mod, receiver)
      return unless Module === receiver

      own = receiver
      own = Class === own ? SUPERCLASS.bind_call(own) : nil until own.nil? || SINGLETON.bind_call(own).equal?(mod)
      own
    end

    # What is raised, in words that run nothing of the program's but for the names of what
    # lacks a method.
    def failure(error)
      text = begin
        ERROR_TEXT.bind_call(error)
      rescue Exception
        "(its text cannot be read)"
      end
      kind = name(type(error))
      text.nil? || text == kind ? kind : "#{kind}: #{Json.utf8(text.to_s)}"
    end
  end
end

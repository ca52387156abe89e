import ObservedValues
import Synchronization

/// The values of an app's flags, which deployment documents change while the app runs.
///
/// The app creates them once, from the flags of all contracts, and passes them to its modules:
///
/// ```swift
/// let flags = try DeployedFlags([CheckoutFlags.express, CheckoutFlags.attempts, SearchFlags.style])
/// if flags[CheckoutFlags.express] { showExpress() }
/// ```
///
/// All values of a document change in one step. Code that reads several flags for one decision reads them at
/// one time, because a document may arrive between two reads.
public final class DeployedFlags: Sendable {
  private let declarations: [String: FlagDeclaration]
  private let values = Mutex(FlagTable())
  private let observed = ObservedValue(FlagTable())

  /// Creates flags that have their defaults.
  ///
  /// - Throws: ``FlagIssue`` if two flags have the same name.
  public init(_ flags: [any AnyFeatureFlag]) throws(FlagIssue) {
    let declarations = flags.map(\.declaration)
    let groups = Dictionary(grouping: declarations, by: \.name)
    let repeated = groups.filter { $0.value.count > 1 }.keys.sorted()
    guard repeated.isEmpty else { throw FlagIssue(repeatedNames: repeated) }
    self.declarations = groups.compactMapValues(\.first)
  }

  /// The value of a flag; its default if no document has it, or the flag is not in the list.
  public subscript<Value>(flag: FeatureFlag<Value>) -> Value { values.withLock { $0.value(of: flag) } }

  /// Returns the value of a flag for a screen; Observation tracks it.
  @MainActor public func observed<Value>(_ flag: FeatureFlag<Value>) -> Value {
    observed.value.value(of: flag)
  }

  /// Returns the values of a document, which then can be applied.
  ///
  /// Names that no flag of the app has, such as those of later versions, are ignored.
  ///
  /// - Throws: ``FlagFault`` for the first flag, in the order of the names, whose value is not one of its
  ///   type or range.
  package func checked(_ contents: [String: FlagContent]) throws(FlagFault) -> FlagTable {
    var table = FlagTable()
    for (name, content) in contents.sorted(by: { $0.key < $1.key }) {
      guard let declaration = declarations[name] else { continue }
      if let problem = declaration.fault(content) { throw FlagFault(name: name, problem: problem) }
      table.contents[name] = content
    }
    return table
  }

  /// Replaces all values.
  package func apply(_ table: FlagTable) {
    values.withLock { values in
      values = table
      // Within the lock, so that two changes reach screens in their order.
      observed.update { $0 = table }
    }
  }
}

/// The values that a document has set.
package struct FlagTable: Sendable, Hashable {
  var contents: [String: FlagContent] = [:]

  /// Creates a table by which all flags have their defaults.
  package init() {}

  func value<Value>(of flag: FeatureFlag<Value>) -> Value {
    contents[flag.name].flatMap(Value.flagForm.read) ?? flag.default
  }
}

/// A flag whose value in a document is not one of its type or range.
package struct FlagFault: Error, Sendable, Hashable {
  /// The name of the flag.
  package let name: String
  /// What is wrong, as the rest of a sentence that begins with the flag.
  package let problem: String
}

/// Flags of an app that have the same name.
public struct FlagIssue: Error, Sendable, Hashable, CustomStringConvertible {
  /// The names, sorted.
  package let repeatedNames: [String]

  /// All names, and what to do.
  public var description: String {
    "Several flags have the name " + repeatedNames.map { "\"\($0)\"" }.joined(separator: ", ")
      + ": declare each name once, and list it once."
  }
}

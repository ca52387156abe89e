#if SQLite
import ObservedValues

/// A value or the items of a query as a ``LocalStore`` has them now.
///
/// It follows the store on the main actor: `Observation` tracks it, and a reader is notified there once,
/// however many changes there were meanwhile. The store doesn't retain it.
///
/// ```swift
/// let shown = try await store.observe(LocalQuery(notes, by: byHome, from: 42, through: 42))
/// let count = await shown.value.count
/// ```
public final class LocalObservation<Value: Sendable & Equatable>: Sendable {
  typealias Read = @Sendable (borrowing LocalTransaction) throws(LocalStoreError) -> Value

  private struct State: Sendable, Equatable {
    var value: Value
    var failure: String?
  }

  let subject: LocalChange
  private let observed: ObservedValue<State>
  /// What is shown once the store was removed.
  private let valueAfterRemoval: Value
  private let read: Read

  init(_ subject: LocalChange, _ value: Value, afterRemoval: Value, _ read: @escaping Read) {
    self.subject = subject
    self.read = read
    valueAfterRemoval = afterRemoval
    observed = ObservedValue(State(value: value))
  }

  /// The latest value.
  ///
  /// After the account was removed it is the key's default value, or no items.
  @MainActor public var value: Value { observed.value.value }

  /// Why the value couldn't be read after the latest change; nil if it could.
  @MainActor public var failure: String? { observed.value.failure }
}

/// What a store tells that something has changed.
protocol LocalObserver: AnyObject, Sendable {
  /// What it reads.
  var subject: LocalChange { get }
  /// Reads the value again.
  func refresh(_ data: borrowing LocalTransaction)
  /// Forgets the value, because the store was removed.
  func reset()
}

extension LocalObservation: LocalObserver {
  func refresh(_ data: borrowing LocalTransaction) {
    do throws(LocalStoreError) {
      let value = try read(data)
      observed.update { $0 = State(value: value) }
    } catch { observed.update { $0.failure = error.description } }
  }

  func reset() { observed.update { $0 = State(value: valueAfterRemoval) } }
}
#endif

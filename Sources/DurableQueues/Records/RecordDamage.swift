/// The error of a record whose bytes are not those that were written.
package struct RecordDamage: Error, Hashable, Sendable {
  /// Creates the error.
  package init() {}
}

package import APIManagers
package import Interception

extension DataTag {
  /// What the server says about one home.
  package static func home(_ id: Int) -> DataTag { DataTag("home \(id)") }
}

public import APIManagers
public import Interception

extension DataTag {
  /// What the server says about one home.
  public static func home(_ id: Int) -> DataTag { DataTag("home \(id)") }
}

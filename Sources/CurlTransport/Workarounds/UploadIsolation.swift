/// What keeps an upload from harming other answers of its HTTP/2 connection, where libcurl doesn't see to that itself.
///
/// See ``LibraryFeatures/sharesLongUploads``.
enum UploadCare: Hashable {
  /// It needs none.
  case none
  /// Its connection carries nothing else meanwhile.
  case alone
  /// It is sent to its end, also when the server has refused it; that is not far.
  case toTheEnd

  /// Decides for a request.
  ///
  /// - Parameter isMultiplexed: Whether the origin's connections carry several requests; nil where that is not known.
  init(
    for plan: RequestPlan, features: LibraryFeatures, isMultiplexed: @autoclosure () -> Bool?
  ) {
    // Most requests have no content, and are spared the look-up.
    guard plan.hasBytes, plan.origin.scheme == .https, !features.sharesLongUploads, isMultiplexed() != false
    else {
      self = .none
      return
    }
    self = plan.isLongUpload ? .alone : .toTheEnd
  }
}

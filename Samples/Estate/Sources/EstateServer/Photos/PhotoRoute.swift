import HTTPServing
import HTTPTypes

/// `/v1/photos/{id}`: a photo of a home, as a PNG or WebP file.
struct PhotoRoute {
  let listings: Listings

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.get, "/v1/photos/{id}") { [listings] _, id in
      let home = try listings.existing(id)
      let file = Self.files[home.id % Self.files.count]
      return Answer(mediaType: file.mediaType, freshness: .anHour, bytes: file.bytes)
    }
  }

  /// The photos, which several homes share.
  static let files = [
    (mediaType: "image/png", bytes: PackageResources.day_png),
    (mediaType: "image/webp", bytes: PackageResources.autumn_webp),
    (mediaType: "image/png", bytes: PackageResources.evening_png),
    (mediaType: "image/webp", bytes: PackageResources.winter_webp),
  ]
}

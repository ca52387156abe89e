/// Everything that libcurl is told about one transfer, besides ``HandleDefaults``.
///
/// A ``ReusableHandle`` keeps the description of its previous transfer and sets the parts that differ. The
/// compiler synthesizes the comparison of options, and a part that differs sets all of its options, so an added
/// option cannot keep the value of an earlier transfer.
struct TransferDescription: Equatable {
  /// What depends on the origin, by its ``RequestSite/options``.
  let site: RequestSite
  /// What depends on the request.
  let exchange: ExchangeOptions
}
